import { columnOf, insertRows, selectList } from './columns.js'

describe(columnOf, () => {
  it.each([
    ['id', 'id'],
    ['displayName', 'display_name'],
    ['lastFailedAt', 'last_failed_at'],
  ])('names the column of %s %s', (field, column) => expect(columnOf(field)).toBe(column))
})

describe(selectList, () => {
  it('names each column as its field', () => {
    expect(selectList(['id', 'createdAt'])).toBe('id AS "id", created_at AS "createdAt"')
    expect(selectList(['userId'], 'k')).toBe('k.user_id AS "userId"')
  })
})

describe(insertRows, () => {
  it('passes the rows as one array a column', () => {
    const insert = insertRows<{ id: string; sentAt: number }>('note', { id: 'uuid', sentAt: 'int' }, 'ON CONFLICT DO NOTHING')
    expect(
      insert([
        { id: 'a', sentAt: 1 },
        { id: 'b', sentAt: 2 },
      ]),
    ).toEqual({
      name: 'insert_note',
      text: 'INSERT INTO note (id, sent_at) SELECT * FROM unnest($1::uuid[], $2::int[]) ON CONFLICT DO NOTHING',
      values: [
        ['a', 'b'],
        [1, 2],
      ],
    })
  })
})
