import type { FieldError } from '@trestle/problem/problem'
import { type Description, memberNames, variantsOf } from './description.js'
import { nearestName } from './nearest-name.js'
import { hasMembers, type InputPlace, pathText, shortName } from './place.js'
import { listOf, quoted } from './requirement.js'

/** What is wrong with a member that its object does not have, and what was probably meant. */
export function unknownMemberFault(
  name: string,
  { path, value, description: branch, union: description = branch }: InputPlace,
): FieldError {
  const kind = path[0] === 'query' ? 'parameter' : 'member'
  const said = `unknown ${kind} ${JSON.stringify(shortName(name))}`
  return { path: pathText([...path, name]), message: `${said}; ${advice(name, { description, value, kind })}` }
}

interface Known extends Pick<InputPlace, 'description' | 'value'> {
  readonly kind: string
}

function advice(name: string, { description, value, kind }: Known): string {
  const names = memberNames(description)
  if (names.includes(name)) return adviceOnBranch(name, description, value)
  const meant = nearestName(name, names)
  if (meant) return `did you mean ${quoted(meant)}?`
  if (names.length === 0) return 'this endpoint takes none'
  return `the ${kind}${names.length === 1 ? ' here is' : 's here are'} ${listOf(names.map(quoted))}`
}

/** The member belongs to another branch of a union than the others that are given. */
function adviceOnBranch(name: string, description: Description, value: unknown): string {
  const variants = variantsOf(description)
  const homes = variants.filter((variant) => memberNames(variant).includes(name))
  const given = hasMembers(value) ? Object.keys(value) : []
  const own = variants.filter((variant) => !memberNames(variant).includes(name)).flatMap(({ required = [] }) => required)
  const partners = homes.flatMap(({ required = [] }) => required)
  const against = own.filter((member) => given.includes(member) && !partners.includes(member)).map(quoted)
  const beside = [...partners.filter((member) => member !== name && !own.includes(member)).map(quoted), ...homes.flatMap(discriminatorsOf)]
  const others = against.length > 0 ? listOf(against) : 'what is given'
  return beside.length > 0 ? `it goes with ${listOf(beside)}, not with ${others}` : `it does not go with ${others}: give one of them`
}

/** The members with one value only: `"kind": "a"`. */
function discriminatorsOf({ properties = {} }: Description): string[] {
  return Object.entries(properties).flatMap(([name, member]) =>
    typeof member === 'object' && member.const !== undefined ? [`${quoted(name)}: ${JSON.stringify(member.const)}`] : [],
  )
}
