-- A day belongs to who owned it (decision 33). Rows of these histories are only added: the last one with a day not after a day counts for
-- that day, and no row is for a day that is sealed.

-- From which UTC day an organization owns a validator.
CREATE TABLE validator_ownership (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  serial integer NOT NULL REFERENCES validator,
  organization_id text NOT NULL,
  from_day date NOT NULL
);
CREATE INDEX validator_ownership_serial ON validator_ownership (serial, id);
CREATE INDEX validator_ownership_organization ON validator_ownership (organization_id, serial);
CREATE TRIGGER validator_ownership_kept BEFORE UPDATE OR DELETE ON validator_ownership FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION record_first_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO validator_ownership (serial, organization_id, from_day)
  VALUES (NEW.serial, NEW.organization_id, (NEW.created_at AT TIME ZONE 'UTC')::date);
  RETURN NULL;
END
$$;
CREATE TRIGGER validator_first_owner AFTER INSERT ON validator FOR EACH ROW EXECUTE FUNCTION record_first_owner();

INSERT INTO validator_ownership (serial, organization_id, from_day)
SELECT serial, organization_id, (created_at AT TIME ZONE 'UTC')::date FROM validator ORDER BY serial;

-- Who is in which shared organization, as accounts reports it.
CREATE TABLE membership (
  user_id text NOT NULL,
  organization_id text NOT NULL,
  -- NULL once the user has left.
  joined_at timestamptz(3),
  -- Only rises.
  version bigint NOT NULL,
  PRIMARY KEY (user_id, organization_id)
);

-- Up to when they were read from accounts; a restored backup reads on from there. NULL before the first time.
CREATE TABLE membership_cursor (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  as_of timestamptz(3)
);
INSERT INTO membership_cursor DEFAULT VALUES;

-- From which UTC day the personal organization of a user is on the bill of a shared one; NULL: on none.
CREATE TABLE billing_account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  personal_id text NOT NULL,
  billed_id text,
  from_day date NOT NULL
);
CREATE INDEX billing_account_personal ON billing_account (personal_id, id);
CREATE INDEX billing_account_billed ON billing_account (billed_id);
CREATE TRIGGER billing_account_kept BEFORE UPDATE OR DELETE ON billing_account FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What users and organizations were called on bills, from which UTC day: a bill does not change with a name, nor when a user is deleted.
CREATE TABLE billing_name (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The id of a user or an organization.
  subject_id text NOT NULL,
  name text NOT NULL,
  -- Empty for organizations.
  email text NOT NULL,
  from_day date NOT NULL
);
CREATE INDEX billing_name_subject ON billing_name (subject_id, id);
CREATE TRIGGER billing_name_kept BEFORE UPDATE OR DELETE ON billing_name FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The first day that a change of today can be for: never one that is sealed, however wrong a clock is.
CREATE FUNCTION first_open_day(today date) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT greatest(today, (SELECT max(open_day) FROM reward_cursor))
$$;
