-- Passkeys (WebAuthn), and the challenges that wait to be signed by one.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  name text NOT NULL,
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);
CREATE TABLE passkey_challenges (
  hash bytea PRIMARY KEY,
  user_id uuid REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX passkey_challenges_user_id_idx ON passkey_challenges (user_id);
CREATE INDEX passkey_challenges_expires_at_idx ON passkey_challenges (expires_at);
-- not used by the release before: it opens sessions by the four ways that the constraint still allows.
ALTER TABLE sessions
  DROP CONSTRAINT sessions_signed_in_by,
  ADD CONSTRAINT sessions_signed_in_by CHECK (signed_in_by IN ('password', 'link', 'passkey', 'github', 'google'));
