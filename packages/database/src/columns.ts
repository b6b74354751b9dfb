/** A field of a Prisma model as its column: `displayName` is `display_name`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** What a SELECT lists to return rows in the shape of a Prisma model; `table` qualifies the columns in a join. */
export function selectList(fields: readonly string[], table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`
  return fields.map((field) => `${prefix}${columnOf(field)} AS "${field}"`).join(', ')
}

/** One prepared INSERT of any number of rows; `types` are the SQL types of the fields, `ending` is e.g. an ON CONFLICT clause. */
export function insertRows<R extends object>(table: string, types: { readonly [K in keyof R]: string }, ending = '') {
  const fields = fieldsOf(types)
  const arrays = fields.map((field, at) => `$${at + 1}::${types[field]}[]`)
  const text = `INSERT INTO ${table} (${fields.map(columnOf).join(', ')}) SELECT * FROM unnest(${arrays.join(', ')}) ${ending}`
  return (rows: readonly R[]) => ({ name: `insert_${table}`, text, values: fields.map((field) => rows.map((row) => row[field])) })
}

function fieldsOf<T extends object>(types: T): (keyof T & string)[] {
  return Object.keys(types) as (keyof T & string)[]
}
