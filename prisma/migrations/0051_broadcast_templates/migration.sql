-- A broadcast made from a template keeps its published source, its content too, and each email the values of the contact that it
-- shows. A host of the release before sends such an email as for a contact of whom nothing is known.
ALTER TABLE broadcasts ADD COLUMN template jsonb;
ALTER TABLE email_contents ADD COLUMN template jsonb;
ALTER TABLE email_bodies ADD COLUMN contact_values jsonb;
