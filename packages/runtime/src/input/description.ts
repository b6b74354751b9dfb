import { z } from 'zod'
import { STRICT_METADATA } from './strict-schema.js'

/** JSON Schema; `must` is what the contract itself says about a value, such as "must be an address". */
export type Description = z.core.JSONSchema.BaseSchema

/** Of a strict schema. */
export function describeInput(schema: z.core.$ZodType): Description {
  return z.toJSONSchema(schema, {
    io: 'input',
    metadata: STRICT_METADATA,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, { must: jsonSchema['must'] ?? ownWords(zodSchema) }),
  })
}

/** The description of a member or an entry. */
export function memberDescription(description: Description, name: PropertyKey): Description {
  const { properties = {}, items, additionalProperties } = description
  const found = typeof name === 'number' ? items : (properties[String(name)] ?? additionalProperties)
  if (isDescription(found)) return found
  return alternatively(
    variantsOf(description)
      .map((variant) => memberDescription(variant, name))
      .filter((member) => Object.keys(member).length > 0),
  )
}

function isDescription(found: unknown): found is Description {
  return typeof found === 'object' && found !== null && !Array.isArray(found)
}

/** A member that several branches have: of fixed values, such as a discriminator, any of them. */
function alternatively(members: readonly Description[]): Description {
  const [only = {}] = members
  if (members.length < 2) return only
  const values = members.flatMap(({ const: value, enum: several }) => several ?? (value === undefined ? [] : [value]))
  return values.length < members.length ? { anyOf: [...members] } : { enum: [...new Set(values)] }
}

/** The branches of a union; none of anything else. */
export function variantsOf({ anyOf, oneOf }: Description): readonly Description[] {
  return anyOf ?? oneOf ?? []
}

/** The members that an object may have, in any branch. */
export function memberNames(description: Description): string[] {
  const { properties = {} } = description
  return [...new Set([...Object.keys(properties), ...variantsOf(description).flatMap(memberNames)])]
}

/** The message that the contract gives a union, or the format of a string. */
function ownWords(schema: z.core.$ZodType): string | undefined {
  const { error, checks = [] } = schema._zod.def
  const formats = checks.filter((check) => check instanceof z.core.$ZodCheckRegex).map((check) => check._zod.def.error)
  for (const map of [error, ...formats]) {
    // Those of the contract are constant texts, for whatever issue.
    const words = (map as z.core.$ZodErrorMap | undefined)?.({ code: 'custom', input: undefined, path: [] })
    if (words) return typeof words === 'string' ? words : words.message
  }
  return undefined
}
