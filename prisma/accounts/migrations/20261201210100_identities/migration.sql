-- Users see and unlink their identities at providers, and prove there again who they are.

ALTER TABLE external_identity
  ADD COLUMN id text NOT NULL DEFAULT 'identity-' || gen_random_uuid(),
  -- As the provider said at the last sign-in; null where that was in the release before.
  ADD COLUMN name text,
  ADD COLUMN email text;
CREATE UNIQUE INDEX external_identity_id_key ON external_identity (id);

-- Null of sessions that the release before opens. With the foreign key no session begins with an identity that is unlinked meanwhile.
ALTER TABLE session
  ADD COLUMN identity_id text REFERENCES external_identity (id) ON DELETE SET NULL,
  ADD COLUMN authenticated_at timestamptz(3);
CREATE INDEX session_identity ON session (identity_id) WHERE identity_id IS NOT NULL;

ALTER TABLE factor_challenge ADD COLUMN identity_id text;

-- The session in which its user proves once more who they are; null of a sign-in, which opens one.
ALTER TABLE sign_in_attempt
  ADD COLUMN user_id text,
  ADD COLUMN session_id text,
  ADD CHECK ((user_id IS NULL) = (session_id IS NULL));
