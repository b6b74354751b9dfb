-- Devices without a browser that wait for a user to sign them in (RFC 8628).
CREATE TABLE device_login (
  -- SHA-256 of the device code: only the device has it.
  hash bytea PRIMARY KEY,
  -- What the user types; short, and useless without somebody's session.
  user_code text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'refused')),
  ip text NOT NULL,
  user_agent text NOT NULL,
  interval_seconds integer NOT NULL,
  polled_at timestamptz(3),
  user_id text REFERENCES "user" (id) ON DELETE CASCADE,
  -- The user's, when they approved: ending all sessions ends this one, too.
  epoch integer,
  -- How and when they had proven a second factor; the device's token says the same.
  factor_methods text[] NOT NULL DEFAULT '{}',
  factor_proven_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX device_login_expires ON device_login (expires_at);

-- What opened the session: command-line, or null of a browser or a program.
ALTER TABLE session ADD COLUMN client text;
