-- A removed workload keeps its data until then and can be restored. The release before sets none: it deletes the data at once.
ALTER TABLE workload ADD COLUMN purge_at timestamptz(3);
CREATE INDEX workload_bin ON workload (organization_id, kind, removed_at) WHERE purge_at IS NOT NULL AND gone_at IS NULL;
