-- Organizations that are gone: nothing may come to belong to them any more.
CREATE TABLE dissolved_organization (
  organization_id text PRIMARY KEY,
  -- The personal organization of its last member, which has what it owned.
  heir_id text NOT NULL,
  dissolved_at timestamptz(3) NOT NULL
);
