-- Users, and what proves who they are.
CREATE TABLE "user" (
  id text PRIMARY KEY,
  email text NOT NULL,
  -- Lower case, domain in punycode: two spellings of one address are one user.
  email_canonical text NOT NULL UNIQUE,
  display_name text NOT NULL,
  entity_type text NOT NULL,
  billing_address jsonb NOT NULL,
  password_hash text NOT NULL,
  verified_at timestamptz(3),
  disabled_at timestamptz(3),
  -- Account tokens that carry an older epoch are dead, and so are the client tokens.
  epoch integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX user_created ON "user" (created_at DESC, id DESC);

-- Single-use tokens sent by mail: only their hashes are kept.
CREATE TABLE email_token (
  hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('verification', 'password-reset')),
  user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX email_token_user ON email_token (user_id);
CREATE INDEX email_token_expires ON email_token (expires_at);

CREATE TABLE session (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  ip text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
CREATE INDEX session_owner ON session (user_id, created_at DESC);
CREATE INDEX session_expires ON session (expires_at);

-- Failed attempts by keyed hash, so that a dump names nobody: known and unknown identifiers alike.
CREATE TABLE attempt (
  key bytea PRIMARY KEY,
  failures integer NOT NULL,
  last_failed_at timestamptz(3) NOT NULL
);
CREATE INDEX attempt_last_failed ON attempt (last_failed_at);

-- Networks from which a user has signed in: their right password is never delayed there.
CREATE TABLE known_network (
  key bytea PRIMARY KEY,
  last_seen_at timestamptz(3) NOT NULL
);
CREATE INDEX known_network_last_seen ON known_network (last_seen_at);

-- Client keys and the refresh tokens issued for them.
CREATE TABLE client_key (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  name text,
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  epoch integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  deleted_at timestamptz(3)
);
CREATE INDEX client_key_user ON client_key (user_id, created_at DESC);

CREATE TABLE refresh_token (
  -- The hash of the token's jti: the token itself is not kept.
  hash bytea PRIMARY KEY,
  client_id text NOT NULL REFERENCES client_key (id) ON DELETE CASCADE,
  issued_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE INDEX refresh_token_client ON refresh_token (client_id);
CREATE INDEX refresh_token_expires ON refresh_token (expires_at);

CREATE TABLE signing_key (
  kid text PRIMARY KEY,
  family text NOT NULL CHECK (family IN ('account', 'client', 'refresh')),
  public_jwk jsonb NOT NULL,
  -- AES-256-GCM under KEY_ENCRYPTION_KEY: nonce, ciphertext and tag.
  private_sealed bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Until then it is only published, so that every verifier knows it before it signs.
  active_from timestamptz(3) NOT NULL
);
CREATE INDEX signing_key_family ON signing_key (family, active_from DESC);

CREATE TABLE revocation (
  kind text NOT NULL CHECK (kind IN ('user', 'client', 'session')),
  id text NOT NULL,
  epoch integer NOT NULL,
  recorded_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, id)
);
CREATE INDEX revocation_recorded ON revocation (recorded_at, kind, id);

-- Organizations: a user is in one at a time.
CREATE TABLE organization (
  id text PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE membership (
  user_id text PRIMARY KEY REFERENCES "user" (id) ON DELETE CASCADE,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  roles text[] NOT NULL,
  joined_at timestamptz(3) NOT NULL
);
CREATE INDEX membership_organization ON membership (organization_id);

CREATE TABLE invitation (
  id text PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  email text NOT NULL,
  email_canonical text NOT NULL,
  roles text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3)
);
CREATE INDEX invitation_organization ON invitation (organization_id);
CREATE INDEX invitation_expires ON invitation (expires_at);

-- Mails leave through here, in the transaction that causes them.
CREATE TABLE mail (
  id text PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  -- AES-256-GCM; erased once sent, for it holds a token.
  text_sealed bytea,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  next_attempt_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3)
);
CREATE INDEX mail_due ON mail (next_attempt_at) WHERE state = 'queued';
CREATE INDEX mail_created ON mail (created_at DESC);

-- The development mailbox (MAIL_TRANSPORT=mailbox): the last 200 mails, readable.
CREATE TABLE mailbox (
  id text PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX mailbox_created ON mailbox (created_at DESC);

-- Activity of every service, a partition a month; partitions are made ahead and dropped after 90 days.
CREATE TABLE event (
  id uuid NOT NULL,
  user_id text NOT NULL,
  service text NOT NULL,
  input jsonb NOT NULL,
  output jsonb NOT NULL,
  service_data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX event_user ON event (user_id, created_at DESC, id DESC);

-- What this service tells, and what it has heard.
CREATE TABLE outbox (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  subject text NOT NULL,
  payload jsonb NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  -- Which incarnation of the stream holds it.
  stream_id text
);
CREATE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at);

CREATE TABLE inbox (
  consumer text NOT NULL,
  message_id text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, message_id)
);
CREATE INDEX inbox_received ON inbox (received_at);
