-- What somebody holds: a node, or a cluster of several. Who it belongs to, how it is called, and what is wanted of it.
CREATE TABLE holding (
  -- `node-<uuid>` or `cluster-<uuid>`.
  id text PRIMARY KEY,
  serial bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  kind text NOT NULL CHECK (kind IN ('node', 'cluster')),
  user_id text NOT NULL,
  -- What its machines are made of: an entry of the catalogue as it was at that moment.
  blueprint jsonb NOT NULL,
  -- What they are being changed to, one at a time.
  next_blueprint jsonb,
  capacity integer NOT NULL CHECK (capacity BETWEEN 1 AND 10),
  wanted text NOT NULL DEFAULT 'started' CHECK (wanted IN ('started', 'stopped', 'removed')),
  alias text,

  auth_type text NOT NULL CHECK (auth_type IN ('basic', 'jwt', 'none')),
  auth_user text NOT NULL,
  -- The password, which only KEY_ENCRYPTION_KEYS open.
  sealed_password bytea NOT NULL,
  -- What the gateway compares with: SHA-256 of `user:password`.
  credentials_digest bytea NOT NULL CHECK (length(credentials_digest) = 32),
  allowed_ips text[] NOT NULL DEFAULT '{}',
  -- Its own address, where the gateway has one for each.
  port integer,

  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  stopped_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  -- When its owner had it removed; its row is kept for those who ask what there was.
  removed_at timestamptz(3),
  -- When the last of its machines was gone.
  gone_at timestamptz(3),
  -- The caller's Idempotency-Key, and what was asked with it.
  request_key text,
  request_hash bytea,

  -- When the reconciler looks at it again.
  look_at timestamptz(3) NOT NULL,
  -- Looks in a row that failed.
  attempts integer NOT NULL DEFAULT 0,
  CHECK ((request_key IS NULL) = (request_hash IS NULL)),
  CHECK ((kind = 'node') = (capacity = 1)),
  CHECK ((wanted = 'removed') = (removed_at IS NOT NULL))
);
CREATE INDEX holding_owner ON holding (user_id, kind, serial);
CREATE UNIQUE INDEX holding_request ON holding (user_id, kind, request_key) WHERE request_key IS NOT NULL;
CREATE UNIQUE INDEX holding_alias ON holding (user_id, alias) WHERE alias IS NOT NULL AND removed_at IS NULL;
CREATE UNIQUE INDEX holding_port ON holding (port) WHERE gone_at IS NULL;
CREATE INDEX holding_look ON holding (look_at) WHERE gone_at IS NULL;

-- One machine: what a driver makes true. A node has one, with its own number; a cluster has several, and more while it is changed.
CREATE TABLE machine (
  id text PRIMARY KEY,
  holding_id text NOT NULL REFERENCES holding (id),
  blueprint jsonb NOT NULL,
  wanted text NOT NULL DEFAULT 'running' CHECK (wanted IN ('running', 'resting', 'gone')),
  -- Whether calls are sent to it; one that is about to go finishes those it has.
  draining_since timestamptz(3),
  -- What the gateway calls it with, which nobody else knows.
  sealed_password bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,

  -- What was seen of it last.
  phase text NOT NULL DEFAULT 'pending',
  conditions jsonb NOT NULL DEFAULT '[]',
  host text,
  port integer,
  instance jsonb,
  height bigint,
  lag bigint,
  progress double precision,
  peers integer,
  disk_bytes bigint,
  seen_at timestamptz(3)
);
CREATE INDEX machine_holding ON machine (holding_id);

-- How many somebody may have, and until when.
CREATE TABLE user_plan (
  user_id text PRIMARY KEY,
  id text NOT NULL,
  nodes integer NOT NULL,
  clusters integer NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- Of the catalogue, what an administrator will have no more of.
CREATE TABLE disabled_service (
  id text PRIMARY KEY,
  disabled_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Found in the driver's hands, and in no row above.
CREATE TABLE orphan (
  machine_id text PRIMARY KEY,
  first_seen_at timestamptz(3) NOT NULL
);

CREATE TABLE usage (
  holding_id text NOT NULL,
  hour timestamptz NOT NULL,
  method text NOT NULL,
  calls bigint NOT NULL,
  errors bigint NOT NULL,
  bytes_out bigint NOT NULL,
  PRIMARY KEY (holding_id, hour, method)
);

CREATE TABLE lease (
  name text PRIMARY KEY,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  session text NOT NULL,
  held_until timestamptz NOT NULL
);

-- What packages/messaging keeps: the facts to be told, and those that were heard.
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
