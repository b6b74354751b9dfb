import type { FieldError } from '@trestle/problem/problem'
import type { z } from 'zod'
import { type Description, memberNames, variantsOf } from './description.js'
import { nearestName } from './nearest-name.js'
import { hasMembers, type InputPlace, pathText, placeWithin } from './place.js'
import { receivedText } from './received.js'
import { listOf, quoted, requirementOf } from './requirement.js'
import { unknownMemberFault } from './unknown-member.js'

type Issue = z.core.$ZodIssue
type Union = Extract<Issue, { code: 'invalid_union' }>

/** Who sends more than these mistakes at once is told of these. */
const MAX_FAULTS = 20

/** Parses without a framework's messages: what is left are those of the contract. */
export const OWN_MESSAGES_ONLY = { error: () => '' } as const

/** Every fault in the words of the contract: which member, what it must be, what it was. Unknown members come first, as they explain missing ones. */
export function faultsOf(issues: readonly Issue[], at: InputPlace): FieldError[] {
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys')
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys')
  const faults = [...unknown, ...others.slice(0, MAX_FAULTS)].flatMap((issue) => faultsOfIssue(issue, at))
  // One requirement is enough for one value.
  return faults.filter(({ path }, index) => index === faults.findIndex((other) => other.path === path)).slice(0, MAX_FAULTS)
}

function faultsOfIssue(issue: Issue, at: InputPlace): FieldError[] {
  const place = placeWithin(at, issue.path)
  if (issue.code === 'unrecognized_keys') return issue.keys.slice(0, MAX_FAULTS).map((name) => unknownMemberFault(name, place))
  return issue.code === 'invalid_union' ? faultsOfUnion(issue, place) : [valueFault(place, issue.message)]
}

function valueFault({ path, description, value }: InputPlace, ownWords?: string): FieldError {
  const must = ownWords || requirementOf(description)
  return { path: pathText(path), message: messageOf(must, path, value) }
}

function messageOf(must: string, path: readonly PropertyKey[], value: unknown): string {
  if (value === undefined) return `is required; it ${must}`
  if (path[0] === 'query' && Array.isArray(value)) return `must be given once; got it ${value.length} times`
  return `${must}; got ${receivedText(value, path)}`
}

interface Branch {
  readonly description: Description
  readonly issues: readonly Issue[]
}

function faultsOfUnion(issue: Union, place: InputPlace): FieldError[] {
  const variants = variantsOf(place.description)
  const branches = variants.map((description, index): Branch => ({ description, issues: issue.errors[index] ?? [] }))
  // Only branches of the given type can tell more than the whole union does.
  const typed = hasMembers(place.value) ? branches.filter(({ issues }) => issues.length > 0 && !issues.some(isOfOtherType)) : []
  if (typed.length === 0) return [valueFault(place, issue.message)]
  const meant = meantBranch(typed, place.value)
  return meant
    ? faultsOf(meant.issues, { ...place, description: meant.description, union: place.description })
    : withoutBranch(typed, place)
}

function isOfOtherType({ code, path }: Issue): boolean {
  return code === 'invalid_type' && path.length === 0
}

/** The branch with most of the members that only some branches have; of equal ones that with fewest faults. */
function meantBranch(branches: readonly Branch[], value: unknown): Branch | undefined {
  const [only] = branches
  if (branches.length === 1) return only
  const given = hasMembers(value) ? Object.keys(value).slice(0, MAX_FAULTS) : []
  const ranked = branches
    .map((branch) => ({ branch, signs: signsOf(branch, branches, given) }))
    .sort((a, b) => b.signs - a.signs || a.branch.issues.length - b.branch.issues.length)
  return ranked[0]?.signs === 0 ? undefined : ranked[0]?.branch
}

/** How many of the given names, well or badly spelt, belong to this branch and not to all. */
function signsOf({ description }: Branch, branches: readonly Branch[], given: readonly string[]): number {
  const all = [...new Set(branches.flatMap((branch) => memberNames(branch.description)))]
  const own = memberNames(description).filter((name) => !branches.every((branch) => memberNames(branch.description).includes(name)))
  return given.filter((name) => own.includes(all.includes(name) ? name : (nearestName(name, all) ?? ''))).length
}

/** Nothing that is given says which branch is meant. */
function withoutBranch(branches: readonly Branch[], place: InputPlace): FieldError[] {
  const requiredBySome = new Map(branches.flatMap(({ description }) => ownRequired(description, branches)))
  if (requiredBySome.size === 0) return [valueFault(place)]
  const each = Array.from(requiredBySome, ([name, description]) => `${quoted(name)} ${requirementOf(description)}`)
  const message = `needs one of ${listOf([...requiredBySome.keys()].map(quoted))}: ${each.join('; ')}`
  const shared = branches[0]?.issues.filter(({ path, code }) => code === 'unrecognized_keys' || !requiredBySome.has(String(path[0]))) ?? []
  return [{ path: pathText(place.path), message }, ...faultsOf(shared, place)]
}

function ownRequired({ required = [], properties = {} }: Description, branches: readonly Branch[]): [string, Description][] {
  return required
    .filter((name) => !branches.every(({ description }) => description.required?.includes(name)))
    .map((name) => [name, typeof properties[name] === 'object' ? properties[name] : {}])
}
