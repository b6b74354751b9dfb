-- Why calls failed: how many, by hour, method and code, and samples. Unlike usage they end with their project.
ALTER TABLE project ADD COLUMN failure_samples boolean NOT NULL DEFAULT true;

CREATE TABLE failure_hour (
  project integer NOT NULL REFERENCES project (serial) ON DELETE CASCADE,
  hour timestamptz(0) NOT NULL,
  method text NOT NULL,
  code integer NOT NULL,
  failures bigint NOT NULL,
  PRIMARY KEY (project, hour, method, code)
) WITH (fillfactor = 70);
CREATE INDEX failure_hour_hour ON failure_hour (hour);

CREATE TABLE failed_call (
  project integer NOT NULL REFERENCES project (serial) ON DELETE CASCADE,
  -- Version 7 of RFC 9562: in the order of their times.
  id uuid NOT NULL,
  time timestamptz(3) NOT NULL,
  request_id text NOT NULL,
  method text NOT NULL,
  code integer NOT NULL,
  -- JSON; no jsonb, which takes no \u0000.
  detail text NOT NULL,
  PRIMARY KEY (project, id)
);
CREATE INDEX failed_call_request ON failed_call (project, request_id);
CREATE INDEX failed_call_time ON failed_call (time);

-- Whoever does not want samples has none, from the same moment on.
CREATE FUNCTION remove_failed_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM failed_call WHERE project = NEW.serial;
  RETURN NULL;
END
$$;
CREATE TRIGGER remove_failed_calls AFTER UPDATE ON project FOR EACH ROW WHEN (OLD.failure_samples AND NOT NEW.failure_samples)
  EXECUTE FUNCTION remove_failed_calls();
