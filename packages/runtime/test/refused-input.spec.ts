import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { IGNORED_INPUT, ignoredNames } from '@trestle/contracts/ignored-input'
import type { FieldError } from '@trestle/problem/problem'
import { type Description, memberNames } from '../src/input/description.js'
import { pathText } from '../src/input/place.js'
import { ENDPOINTS, faultsIn, type ObjectPlace, objectsOf, replacedAt, sampleOf, unfolded, validRequests } from './every-endpoint.js'

/** What a validation framework says and a person does not. */
const FRAMEWORK_WORDS =
  /\binvalid\b|\bexpected\b|\breceived\b|too (small|big)|unrecognized|undefined|NaN|datetime|zod|another value|matches/i

function isIgnored(endpoint: EndpointSpec, part: string): boolean {
  return (part === 'query' || part === 'body') && ignoredNames(part, endpoint) === 'all'
}

function pathOf({ part, names }: ObjectPlace, ...more: string[]): string {
  return pathText([part, ...names, ...more])
}

/** The message about one place; all that is said must be in plain words. */
function messageAt(path: string, faults: readonly FieldError[]): string | undefined {
  expect(faults.map(({ message }) => message).filter((message) => FRAMEWORK_WORDS.test(message))).toEqual([])
  return faults.find((fault) => fault.path === path)?.message
}

// What a contract declares loose, such as an answer by an authenticator, may have any member.
const strictPlaces = (endpoint: EndpointSpec) =>
  objectsOf(endpoint).filter(({ part, description }) => !isIgnored(endpoint, part) && description.additionalProperties === false)

describe.each(ENDPOINTS)('%s', (_, endpoint) => {
  it('accepts what its contract allows', () => {
    for (const request of validRequests(endpoint)) expect(faultsIn(endpoint, request)).toEqual([])
  })

  it('names an extra member, and those that there are', () => {
    for (const place of strictPlaces(endpoint)) {
      const faults = faultsIn(
        endpoint,
        replacedAt(place, (value) => ({ ...value, xxxyyyzzz: '1' })),
      )
      const message = messageAt(pathOf(place, 'xxxyyyzzz'), faults)
      expect(message).toMatch(/^unknown (member|parameter) "xxxyyyzzz"; the (member|parameter)s? here (is|are) /)
      for (const name of memberNames(place.description)) expect(message).toContain(`"${name}"`)
    }
  })

  it('names a misspelt member, and the right one', () => {
    for (const place of strictPlaces(endpoint)) {
      for (const [name, misspelt] of misspellingsOf(place.description)) {
        const faults = faultsIn(
          endpoint,
          replacedAt(place, ({ [name]: value, ...others }) => ({ ...others, [misspelt]: value })),
        )
        expect(messageAt(pathOf(place, misspelt), faults)).toMatch(
          new RegExp(`^unknown (member|parameter) "${misspelt}"; did you mean "${name}"\\?$`),
        )
      }
    }
  })

  it('names a missing member, and what it must be', () => {
    for (const place of objectsOf(endpoint)) {
      for (const name of place.description.required ?? []) {
        const faults = faultsIn(
          endpoint,
          replacedAt(place, ({ [name]: _, ...others }) => others),
        )
        expect(messageAt(pathOf(place, name), faults)).toMatch(/^is required; it must .{8}/)
      }
    }
  })

  it('names a member of the wrong type, what it must be, and what it was', () => {
    for (const place of objectsOf(endpoint)) {
      for (const [name, member] of Object.entries(place.description.properties ?? {})) {
        const faults = faultsIn(
          endpoint,
          replacedAt(place, (value) => ({ ...value, [name]: wrongFor(place, member as Description) })),
        )
        expect(messageAt(pathOf(place, name), faults)).toMatch(/^must (be given once|.{8,}); got .+/)
      }
    }
  })

  it('names a member of another branch, and what it goes with', () => {
    for (const { place, name, value } of membersOfOtherBranches(endpoint)) {
      const faults = faultsIn(
        endpoint,
        replacedAt(place, (given) => ({ ...given, [name]: value })),
      )
      expect(messageAt(pathOf(place, name), faults)).toMatch(
        /^unknown member "\w+"; it (goes with "\w+", not with "|does not go with "\w+")/,
      )
    }
  })

  it('refuses a body and a query that it does not have', () => {
    const [request] = validRequests(endpoint)
    if (!endpoint.query && !isIgnored(endpoint, 'query')) {
      const faults = faultsIn(endpoint, { ...request, query: { force: 'true' } })
      expect(messageAt('query.force', faults)).toBe('unknown parameter "force"; this endpoint takes none')
    }
    if (!endpoint.body && endpoint.method !== 'GET' && !isIgnored(endpoint, 'body')) {
      const faults = faultsIn(endpoint, { ...request, body: { force: true } })
      expect(messageAt('body.force', faults)).toBe('unknown member "force"; this endpoint takes none')
      for (const body of [undefined, null, {}]) expect(faultsIn(endpoint, { ...request, body })).toEqual([])
    }
  })

  it('ignores what clients are known to send', () => {
    const [request] = validRequests(endpoint)
    expect(faultsIn(endpoint, { ...request, query: { ...(request?.query as object), _: '1700000000000' } })).toEqual([])
    if (isIgnored(endpoint, 'query'))
      expect(faultsIn(endpoint, { ...request, query: { ...(request?.query as object), extra: '1' } })).toEqual([])
    if (isIgnored(endpoint, 'body'))
      expect(faultsIn(endpoint, { ...request, body: { ...(request?.body as object), extra: '1' } })).toEqual([])
  })
})

it('has something to refuse in most areas', () => {
  const places = ENDPOINTS.flatMap(([name, endpoint]) => strictPlaces(endpoint).map(() => name.split(' ')[0]))
  expect(places.length).toBeGreaterThan(40)
  expect([...new Set(places)]).toEqual(expect.arrayContaining(['accounts', 'staking', 'nodes', 'eth-rpc']))
})

it.each(IGNORED_INPUT)('ignores input of paths that exist: $because', ({ part, paths = /./ }) => {
  expect(ENDPOINTS.some(([, { path, method }]) => paths.test(path) && (part === 'query' || method !== 'GET'))).toBe(true)
})

/** Each member with its name short of one letter, which is no other member's name. */
function misspellingsOf(description: Description): [string, string][] {
  const names = memberNames(description)
  return names.flatMap((name): [string, string][] => {
    const short = Array.from(name, (_, index) => name.slice(0, index) + name.slice(index + 1)).filter(
      (each) => each !== '' && !names.includes(each),
    )
    return short.map((each) => [name, each])
  })
}

/** Of a query every value is text, so that only a repeated one is wrong for a string. */
function wrongFor({ part }: ObjectPlace, { type, properties }: Description): unknown {
  if (part === 'query') return type === 'integer' || type === 'boolean' ? 'x y' : ['a', 'b']
  if (type === 'array' || properties) return 'text'
  if (!type) return true
  return type === 'string' ? 7 : [{}]
}

function membersOfOtherBranches(endpoint: EndpointSpec): { place: ObjectPlace; name: string; value: unknown }[] {
  const bodies = objectsOf(endpoint).filter(({ part, names }) => part === 'body' && names.length === 0)
  return bodies.flatMap((place) => {
    const own = memberNames(place.description)
    return bodies.flatMap(({ description }) =>
      Object.entries(description.properties ?? {})
        .filter(([name]) => !own.includes(name))
        .map(([name, member]) => ({ place, name, value: sampleOf(unfolded(member as Description)[0] ?? {}) })),
    )
  })
}
