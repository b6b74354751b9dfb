-- What a user proves after the password. A row without `confirmed_at` is an enrolment that is not finished, and does not count.
CREATE TABLE second_factor (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('totp', 'passkey')),
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  used_at timestamptz(3),
  -- TOTP: the secret, AES-256-GCM under KEY_ENCRYPTION_KEY, and the time step of the last code that was accepted.
  secret_sealed bytea,
  last_step integer,
  -- Passkey: what WebAuthn calls the credential.
  credential_id bytea UNIQUE,
  public_key bytea,
  signature_counter bigint,
  transports text[] NOT NULL DEFAULT '{}',
  CHECK ((kind = 'totp') = (secret_sealed IS NOT NULL)),
  CHECK ((kind = 'passkey') = (credential_id IS NOT NULL AND public_key IS NOT NULL AND signature_counter IS NOT NULL))
);
CREATE INDEX second_factor_user ON second_factor (user_id);

-- SHA-256: a code of 120 random bits needs no slow hash (OWASP ASVS 5, 6.5.2).
CREATE TABLE recovery_code (
  hash bytea PRIMARY KEY,
  user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX recovery_code_user ON recovery_code (user_id);

-- What somebody has to answer with a factor, once and soon. Without a user: a sign-in with a passkey, which names the user itself.
CREATE TABLE factor_challenge (
  -- SHA-256 of the challenge.
  hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('sign-in', 'step-up', 'enrolment')),
  user_id text REFERENCES "user" (id) ON DELETE CASCADE,
  -- The user's epoch at that time: whatever ends all sessions ends it, too.
  epoch integer,
  -- Of a step-up: the session whose token is renewed.
  session_id text,
  -- Of a sign-in: the identity provider that was the first step.
  provider text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX factor_challenge_user ON factor_challenge (user_id);
CREATE INDEX factor_challenge_expires ON factor_challenge (expires_at);
