-- Validators belong to an organization; user_id stays who created them. Existing ones go to the personal organization of their creator,
-- whose id follows from the user's (decision 33).
ALTER TABLE validator ADD COLUMN organization_id text;
UPDATE validator SET organization_id = 'org-' || substr(user_id, 6);
ALTER TABLE validator ALTER COLUMN organization_id SET NOT NULL;
CREATE INDEX validator_organization ON validator (organization_id, chain, serial);

-- The release before inserts validators without an organization.
CREATE FUNCTION complete_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.organization_id := 'org-' || substr(NEW.user_id, 6);
  RETURN NEW;
END
$$;
CREATE TRIGGER validator_complete BEFORE INSERT ON validator
  FOR EACH ROW WHEN (NEW.organization_id IS NULL) EXECUTE FUNCTION complete_organization();
