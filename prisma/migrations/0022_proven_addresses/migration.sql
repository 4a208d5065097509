-- Whether the person behind an account has proved to own its address: a link in an email, or a provider that verified it.
ALTER TABLE "users" ADD COLUMN     "email_proven_at" TIMESTAMPTZ(3);

-- A mailed link reaches only the mailbox that it is for; a shown one anybody.
ALTER TABLE "invites" ADD COLUMN     "mailed" BOOLEAN NOT NULL DEFAULT false;

-- Who was not invited was made by the operator, and who has no password came by a link or a provider. Everybody else may
-- have opened a link that was shown.
UPDATE users SET email_proven_at = created_at
  WHERE password_hash IS NULL OR NOT EXISTS (SELECT 1 FROM invites i WHERE i.email = users.email AND i.accepted_at IS NOT NULL);
