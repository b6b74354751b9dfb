import { z } from 'zod'

type Schema = z.core.$ZodType

/** The metadata of strict schemas: that of the contract without ids, which make references of what is described. */
export const STRICT_METADATA = z.registry<Readonly<Record<string, unknown>>>()

/** The same schema with unknown members as faults, at any depth. What is declared loose stays loose. */
export function strictSchema(schema: Schema): Schema {
  const strict = strictCopy(schema)
  const { id: _, ...metadata } = z.globalRegistry.get(schema) ?? {}
  STRICT_METADATA.add(strict, metadata)
  return strict
}

function strictCopy(schema: Schema): Schema {
  if (schema instanceof z.core.$ZodObject) return strictObject(schema)
  if (schema instanceof z.core.$ZodArray) return changed(schema, { element: strictSchema(schema._zod.def.element) })
  if (schema instanceof z.core.$ZodUnion) return changed(schema, { options: schema._zod.def.options.map(strictSchema) })
  if (schema instanceof z.core.$ZodRecord) return changed(schema, { valueType: strictSchema(schema._zod.def.valueType) })
  if (schema instanceof z.core.$ZodTuple) return changed(schema, { items: schema._zod.def.items.map(strictSchema) })
  if (schema instanceof z.core.$ZodPipe)
    return changed(schema, { in: strictSchema(schema._zod.def.in), out: strictSchema(schema._zod.def.out) })
  if (schema instanceof z.core.$ZodIntersection) {
    const { left, right } = schema._zod.def
    return changed(schema, { left: strictSchema(left), right: strictSchema(right) })
  }
  return isWrapper(schema) ? changed(schema, { innerType: strictSchema(schema._zod.def.innerType) }) : schema
}

function strictObject(schema: z.core.$ZodObject): Schema {
  const { shape, catchall = z.never() } = schema._zod.def
  const members = Object.entries(shape).map(([name, member]) => [name, strictSchema(member)])
  return changed(schema, { shape: Object.fromEntries(members), catchall })
}

/** A copy with its checks. Getters of the definition stay getters: a default is made anew for each input. */
function changed<S extends Schema>(schema: S, change: Partial<S['_zod']['def']>): Schema {
  return z.core.clone(schema, z.core.util.mergeDefs(schema._zod.def, change))
}

const WRAPPERS = [
  z.core.$ZodOptional,
  z.core.$ZodNullable,
  z.core.$ZodDefault,
  z.core.$ZodPrefault,
  z.core.$ZodNonOptional,
  z.core.$ZodReadonly,
  z.core.$ZodCatch,
] as const

function isWrapper(schema: Schema): schema is InstanceType<(typeof WRAPPERS)[number]> {
  return WRAPPERS.some((wrapper) => schema instanceof wrapper)
}
