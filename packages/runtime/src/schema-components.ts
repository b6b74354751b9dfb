import { z } from 'zod'

type Json = z.core.JSONSchema.BaseSchema

/** Collects the schemas with an id (`.meta({ id })`) under `components.schemas`, and refers to them. */
export class SchemaComponents {
  private readonly schemas = new Map<string, Json>()

  /** The JSON Schema of an input or an output, with references into the components. */
  inline(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs = {}, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, override: adapt })
    const names = new Map(Object.entries($defs).map(([id, definition]) => [id, this.nameFor(id, definition, io)]))
    for (const [id, definition] of Object.entries($defs)) this.schemas.set(names.get(id) ?? id, renamed(definition, names))
    return renamed(json, names)
  }

  all(): Record<string, Json> {
    return Object.fromEntries([...this.schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** One id may have two shapes: a member with a default is optional in a request and always in a reply. */
  private nameFor(id: string, definition: Json, io: 'input' | 'output'): string {
    const known = this.schemas.get(id)
    if (known === undefined || JSON.stringify(known) === JSON.stringify(renamed(definition, new Map()))) return id
    return io === 'output' ? `${id}Reply` : `${id}Input`
  }
}

function adapt({ jsonSchema }: { jsonSchema: Json }): void {
  // Clients must accept unknown members: replies grow.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // Without an example Swagger UI derives one from the pattern, in the year 8400.
  if (jsonSchema.format === 'date-time') jsonSchema.examples ??= ['2026-01-31T12:00:00.000Z']
}

function renamed(json: Json, names: ReadonlyMap<string, string>): Json {
  const text = JSON.stringify(json).replace(/"#\/\$defs\/([^"]+)"/g, (_, id: string) => `"#/components/schemas/${names.get(id) ?? id}"`)
  return JSON.parse(text)
}
