-- Namespaces of methods, such as debug and trace, that administrators granted to an owner, and those that a project allows.
ALTER TABLE limit_grant ADD COLUMN namespaces text[] NOT NULL DEFAULT '{}';
ALTER TABLE project ADD COLUMN namespaces text[] NOT NULL DEFAULT '{}';

-- The release before, which knows no namespaces, revokes a grant as a whole.
CREATE FUNCTION revoke_namespaces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE project SET namespaces = '{}', version = version + 1 WHERE owner_id = OLD.owner_id AND namespaces <> '{}';
  RETURN NULL;
END
$$;
CREATE TRIGGER revoke_namespaces AFTER DELETE ON limit_grant FOR EACH ROW EXECUTE FUNCTION revoke_namespaces();
