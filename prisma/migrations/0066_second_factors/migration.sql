-- One-time codes of an authenticator app, codes for when it is lost, and sign-ins that wait for one of either.
CREATE TABLE totp_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  secret bytea NOT NULL,
  confirmed_at timestamptz(3),
  used_step bigint,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE TABLE recovery_codes (
  code_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX recovery_codes_user_id_idx ON recovery_codes (user_id);
CREATE TABLE pending_sign_ins (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  signed_in_by text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX pending_sign_ins_user_id_idx ON pending_sign_ins (user_id);
CREATE INDEX pending_sign_ins_expires_at_idx ON pending_sign_ins (expires_at);
