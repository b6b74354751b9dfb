-- Credentials of a project beside its id. Only the SHA-256 of each is kept.
ALTER TABLE project ADD COLUMN last_key integer NOT NULL DEFAULT 0;

CREATE TABLE project_key (
  project integer NOT NULL REFERENCES project (serial) ON DELETE CASCADE,
  number integer NOT NULL,
  digest bytea NOT NULL,
  last_four text NOT NULL,
  name text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  last_used_at timestamptz(3),
  last_used_from text,
  PRIMARY KEY (project, number),
  CONSTRAINT project_key_digest CHECK (length(digest) = 32)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX project_key_digest_key ON project_key (digest);
