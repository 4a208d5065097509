-- Whether the members of an organization need a second factor to see its projects.
ALTER TABLE organizations ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false;
