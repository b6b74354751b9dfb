-- Sign-in with identity providers (OpenID Connect). A user without a password has an empty hash, which the release before refuses.

CREATE TABLE external_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  provider text NOT NULL,
  user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX external_identity_user ON external_identity (user_id);

CREATE TABLE sign_in_attempt (
  -- SHA-256 of what only the browser has.
  hash bytea PRIMARY KEY,
  provider text NOT NULL,
  state text NOT NULL,
  nonce text NOT NULL,
  code_verifier text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sign_in_attempt_expires ON sign_in_attempt (expires_at);

-- The roles that a user has by an identity provider alone.
CREATE TABLE granted_roles (
  user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  provider text NOT NULL,
  organization_id text NOT NULL,
  roles text[] NOT NULL,
  PRIMARY KEY (user_id, provider)
);

-- Null of a sign-in with a password, and of every one that the release before opens.
ALTER TABLE session ADD COLUMN provider text;
