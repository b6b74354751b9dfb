-- Projects belong to organizations. A user's personal organization has the uuid of the user.
ALTER TABLE project ADD COLUMN organization_id text;
UPDATE project SET organization_id = 'org-' || substr(owner_id, 6);
ALTER TABLE project ALTER COLUMN organization_id SET NOT NULL;
CREATE INDEX project_organization ON project (organization_id, created_at DESC);

-- The release before does not know the column.
CREATE FUNCTION complete_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.organization_id := 'org-' || substr(NEW.owner_id, 6);
  RETURN NEW;
END
$$;
CREATE TRIGGER complete_organization BEFORE INSERT ON project FOR EACH ROW WHEN (NEW.organization_id IS NULL)
  EXECUTE FUNCTION complete_organization();
