-- When a session was last used, to within minutes. For open sessions it counts from now; a release that does not know it inserts the same.
ALTER TABLE session ADD COLUMN used_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- For the end of sessions that nobody uses.
CREATE INDEX session_open ON session (used_at) WHERE ended_at IS NULL;
