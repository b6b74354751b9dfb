import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { ignoredNames } from '@trestle/contracts/ignored-input'
import type { FieldError } from '@trestle/problem/problem'
import { z } from 'zod'
import { type Description, describeInput } from './description.js'
import { faultsOf, OWN_MESSAGES_ONLY } from './faults.js'
import { hasMembers } from './place.js'
import { strictSchema } from './strict-schema.js'
import { unknownMemberFault } from './unknown-member.js'

export const INPUT_PARTS = ['params', 'query', 'body', 'headers'] as const
export type InputPart = (typeof INPUT_PARTS)[number]

interface ParsedPart {
  readonly value?: unknown
  readonly faults?: readonly FieldError[]
}

const NOTHING: ParsedPart = {}
const MAX_UNKNOWN = 20

/** Parses the requests of one endpoint; its schemas are made strict once. */
export class InputParser {
  private readonly schemas: Partial<Record<InputPart, z.core.$ZodType>>
  private readonly parameters: ReadonlySet<string> | undefined
  private readonly descriptions = new Map<InputPart, Description>()

  constructor(private readonly endpoint: EndpointSpec) {
    const { params, query, headers, body = z.strictObject({}).nullish() } = endpoint
    const isLenient = ignoredNames('body', endpoint) === 'all'
    // Fastify parses no body of a GET.
    const anyBody = endpoint.method === 'GET' || (isLenient && !endpoint.body)
    this.schemas = { params, query, headers, ...(!anyBody && { body: isLenient ? body : strictSchema(body) }) }
    const ignored = ignoredNames('query', endpoint)
    this.parameters = ignored === 'all' ? undefined : new Set([...Object.keys(query?.shape ?? {}), ...ignored])
  }

  parse(part: InputPart, sent: unknown): ParsedPart {
    const schema = this.schemas[part]
    if (!schema) return NOTHING
    const parsed = z.core.safeParse(schema, sent, OWN_MESSAGES_ONLY)
    if (!parsed.success)
      return { faults: faultsOf(parsed.error.issues, { path: [part], description: this.descriptionOf(part), value: sent }) }
    return this.endpoint[part] ? { value: parsed.data } : NOTHING
  }

  /** `limit[]=1` and `limit[$gt]=1` are refused for what they are. */
  unknownParameters(query: unknown): FieldError[] {
    const errors: FieldError[] = []
    if (!hasMembers(query)) return errors
    for (const name in query) {
      const base = name.split('[', 1)[0] ?? name
      const isNested = base !== name && this.endpoint.query?.shape[base] !== undefined
      if (isNested) errors.push({ path: `query.${base}`, message: `must be one plain value, such as ${base}=...` })
      else if (this.parameters && !this.parameters.has(name)) errors.push(this.unknownParameter(name, query))
      if (errors.length === MAX_UNKNOWN) break
    }
    return errors
  }

  private unknownParameter(name: string, value: unknown): FieldError {
    return unknownMemberFault(name, { path: ['query'], description: this.descriptionOf('query'), value })
  }

  private descriptionOf(part: InputPart): Description {
    const known = this.descriptions.get(part)
    if (known) return known
    const schema = part === 'body' ? this.schemas.body : this.endpoint[part]
    const description = schema ? describeInput(strictSchema(schema)) : {}
    this.descriptions.set(part, description)
    return description
  }
}
