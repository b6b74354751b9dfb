-- Workloads belong to organizations. A user's personal organization has the uuid of the user.
ALTER TABLE workload ADD COLUMN organization_id text;
UPDATE workload SET organization_id = 'org-' || substr(user_id, 6);
ALTER TABLE workload ALTER COLUMN organization_id SET NOT NULL;
CREATE INDEX workload_organization ON workload (organization_id, kind, serial);

-- The release before does not know the column.
CREATE FUNCTION complete_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.organization_id := 'org-' || substr(NEW.user_id, 6);
  RETURN NEW;
END
$$;
CREATE TRIGGER complete_organization BEFORE INSERT ON workload FOR EACH ROW WHEN (NEW.organization_id IS NULL)
  EXECUTE FUNCTION complete_organization();

-- A plan that an administrator granted to an organization.
CREATE TABLE organization_plan (
  organization_id text PRIMARY KEY,
  id text NOT NULL,
  nodes integer NOT NULL,
  clusters integer NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
