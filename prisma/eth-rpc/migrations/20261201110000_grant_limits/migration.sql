-- The limits that administrators granted to an owner of projects, in place of the operator's maximum.
CREATE TABLE limit_grant (
  owner_id text PRIMARY KEY,
  per_second integer NOT NULL CHECK (per_second > 0),
  per_day bigint NOT NULL CHECK (per_day > 0),
  granted_at timestamptz(3) NOT NULL
);
