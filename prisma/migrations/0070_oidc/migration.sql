-- Memberships that groups of an identity provider give.
ALTER TABLE members ADD COLUMN from_group boolean NOT NULL DEFAULT false;
-- not used by the release before: it opens sessions by the ways that the constraint still allows.
ALTER TABLE sessions
  DROP CONSTRAINT sessions_signed_in_by,
  ADD CONSTRAINT sessions_signed_in_by CHECK (signed_in_by IN ('password', 'link', 'passkey', 'github', 'google', 'oidc'));
