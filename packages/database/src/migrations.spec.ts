import { migrationFolder } from '../test/migration-folder.js'
import { type HistoryRow, parseMigration, pendingOf, readMigrations } from './migrations.js'

describe(readMigrations, () => {
  it('reads the oldest first, and nothing but folders', async () => {
    const migrations = await readMigrations(migrationFolder({ '20260102_b': 'select 2', '20260101_a': 'select 1' }))
    expect(migrations.map(({ name }) => name)).toEqual(['20260101_a', '20260102_b'])
  })
})

describe(parseMigration, () => {
  it('computes the checksum that Prisma stores', () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    expect(parseMigration('a', '').checksum).toBe(empty)
  })

  it.each(['BEGIN', 'COMMIT', 'start transaction', 'end', 'ROLLBACK TO SAVEPOINT x'])('refuses %s', (control) => {
    expect(() => parseMigration('a', `select 1;\n${control};`)).toThrow(
      `a/migration.sql, line 2: a migration is one transaction; remove "${control};"`,
    )
  })

  it('allows BEGIN and END in the body of a function', () => {
    const script = 'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$\nBEGIN\n  PERFORM 1;\nEND;\n$$;'
    expect(parseMigration('a', script).statements).toHaveLength(1)
  })
})

describe(pendingOf, () => {
  const [first, second] = [parseMigration('1', 'select 1'), parseMigration('2', 'select 2')]

  it('is what the history lacks, even when something newer is applied', () => {
    expect(pendingOf([first, second], [row({ migration_name: '2', checksum: second.checksum })])).toEqual([first])
  })

  it('ignores migrations of a newer release', () => {
    expect(pendingOf([first], [row({ migration_name: '3' })])).toEqual([first])
  })

  it('refuses a file that was changed after it had been applied', () => {
    expect(() => pendingOf([first, second], [row({ migration_name: '1', checksum: 'other' })])).toThrow(
      '1/migration.sql was changed after it had been applied: restore it, and put the change into a new migration.',
    )
  })

  it('refuses a history with a migration that another tool left half applied', () => {
    expect(() => pendingOf([first], [row({ migration_name: '1', finished_at: null })])).toThrow('1 was left half applied by another tool')
  })
})

function row(overrides: Partial<HistoryRow>): HistoryRow {
  return { migration_name: '1', checksum: 'c', finished_at: new Date(0), ...overrides }
}
