-- For the export and the erasure of somebody's data.
CREATE INDEX mail_recipient ON mail (recipient);
