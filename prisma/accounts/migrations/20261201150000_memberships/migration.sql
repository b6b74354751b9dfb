-- A user may be in several organizations. The row of a former member remains, without roles, so that a service that missed the end reads of it.
ALTER TABLE membership RENAME TO member;
ALTER TABLE member DROP CONSTRAINT membership_pkey, ADD PRIMARY KEY (user_id, organization_id);
-- The rows of former members outlive the organization.
ALTER TABLE member DROP CONSTRAINT membership_organization_id_fkey;
ALTER TABLE member RENAME CONSTRAINT membership_user_id_fkey TO member_user_id_fkey;
ALTER INDEX membership_organization RENAME TO member_organization;
ALTER TABLE member
  -- Only rises. A time in milliseconds: what is changed after a backup was restored is newer than anything from before.
  ADD COLUMN version bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  -- By the database's clock: the order in which services read.
  ADD COLUMN changed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp();
CREATE INDEX member_changed ON member (changed_at, user_id, organization_id);

-- Roles that an organization has defined for itself.
CREATE TABLE role (
  organization_id text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  name text NOT NULL,
  permissions text[] NOT NULL,
  PRIMARY KEY (organization_id, name)
);

-- The release before: it finds a membership by its user alone. Where a user is in several organizations, it may not change one of them: it
-- would change all.
CREATE VIEW membership AS SELECT user_id, organization_id, roles, joined_at FROM member WHERE roles <> '{}';

CREATE FUNCTION add_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM membership WHERE user_id = NEW.user_id) THEN
    RETURN NULL;
  END IF;
  INSERT INTO member (user_id, organization_id, roles, joined_at) VALUES (NEW.user_id, NEW.organization_id, NEW.roles, NEW.joined_at)
    ON CONFLICT (user_id, organization_id) DO UPDATE SET roles = excluded.roles, joined_at = excluded.joined_at,
      version = greatest(member.version + 1, excluded.version), changed_at = clock_timestamp();
  RETURN NEW;
END
$$;

CREATE FUNCTION change_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM membership WHERE user_id = OLD.user_id) > 1 THEN
    RAISE EXCEPTION 'the user is in several organizations, which this release does not know';
  END IF;
  UPDATE member
     SET roles = CASE TG_OP WHEN 'DELETE' THEN '{}' ELSE NEW.roles END,
         version = greatest(version + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint),
         changed_at = clock_timestamp()
   WHERE user_id = OLD.user_id AND organization_id = OLD.organization_id;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;

CREATE TRIGGER add_membership INSTEAD OF INSERT ON membership FOR EACH ROW EXECUTE FUNCTION add_membership();
CREATE TRIGGER change_membership INSTEAD OF UPDATE OR DELETE ON membership FOR EACH ROW EXECUTE FUNCTION change_membership();

-- The release before deletes an organization with its last member.
CREATE FUNCTION end_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE member
     SET roles = '{}', version = greatest(version + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint), changed_at = clock_timestamp()
   WHERE organization_id = OLD.id AND roles <> '{}';
  RETURN NULL;
END
$$;
CREATE TRIGGER end_memberships AFTER DELETE ON organization FOR EACH ROW EXECUTE FUNCTION end_memberships();
