-- Projects: what people call JSON-RPC with.
CREATE TABLE project (
  -- Never changes and is no secret: everything else goes by it.
  serial serial PRIMARY KEY,
  -- The credential. Its owner may look it up again, so it stands here as it is.
  id text NOT NULL CHECK (id ~ '^[0-9a-f]{32}$'),
  -- The one before the last rotation, where it was given some grace.
  former_id text,
  former_until timestamptz(3),
  owner_id text NOT NULL,
  name text NOT NULL,
  allowed_origins text[] NOT NULL,
  allowed_methods text[] NOT NULL,
  allowed_contracts text[] NOT NULL,
  allowed_ips text[] NOT NULL,
  require_token boolean NOT NULL,
  -- Compute units.
  per_second integer NOT NULL,
  per_day bigint NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK ((former_id IS NULL) = (former_until IS NULL))
);
CREATE UNIQUE INDEX project_id_key ON project (id);
CREATE UNIQUE INDEX project_former_id_key ON project (former_id);
CREATE INDEX project_owner ON project (owner_id, created_at DESC);

-- What was called. Without a reference to the project: what a deleted one has used is still known.
CREATE TABLE usage_hour (
  project integer NOT NULL,
  hour timestamptz(0) NOT NULL,
  method text NOT NULL,
  calls bigint NOT NULL,
  errors bigint NOT NULL,
  compute_units bigint NOT NULL,
  bytes_out bigint NOT NULL,
  cache_hits bigint NOT NULL,
  PRIMARY KEY (project, hour, method)
) WITH (fillfactor = 70);
CREATE INDEX usage_hour_hour ON usage_hour (hour);

-- The day's compute units (UTC), which a limit is held against.
CREATE TABLE usage_day (
  project integer NOT NULL,
  day date NOT NULL,
  compute_units bigint NOT NULL,
  PRIMARY KEY (project, day)
) WITH (fillfactor = 70);
CREATE INDEX usage_day_day ON usage_day (day);

-- The last write of each process: one that is repeated, as its answer was lost, changes nothing.
CREATE TABLE usage_writer (
  process uuid PRIMARY KEY,
  seq bigint NOT NULL,
  written_at timestamptz(3) NOT NULL
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
