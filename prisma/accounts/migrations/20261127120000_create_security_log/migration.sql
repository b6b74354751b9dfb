-- Who signed in, changed rights or acted as an administrator, a partition a month; partitions are made ahead and dropped after SECURITY_LOG_DAYS.
CREATE TABLE security_event (
  id uuid NOT NULL,
  kind text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('success', 'failure')),
  user_id text,
  session text,
  client_key text,
  -- A keyed hash: the log names no e-mail address.
  attempted text,
  client_address text NOT NULL,
  user_agent text,
  service text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  target jsonb NOT NULL,
  status int NOT NULL,
  code text,
  request_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX security_event_time ON security_event (created_at DESC, id DESC);
CREATE INDEX security_event_user ON security_event (user_id, created_at DESC, id DESC);
CREATE INDEX security_event_attempted ON security_event (attempted, created_at DESC, id DESC);
