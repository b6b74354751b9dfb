-- What accounts last reported of an owner; without a row: not disabled.
CREATE TABLE owner_status (
  user_id text PRIMARY KEY,
  disabled boolean NOT NULL,
  changed_at timestamptz(3) NOT NULL
);
