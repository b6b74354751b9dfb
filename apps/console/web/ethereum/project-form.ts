import { METHOD_NAMESPACES, type NewProject, type Project } from '@trestle/contracts/eth-rpc/projects'
import { Problem } from '@trestle/problem/problem'
import { changeField, type FieldChange } from '../parts/form.js'
import { methodLimitEntries, methodLimitsBody } from './method-limits.js'

export const LISTS = ['allowedOrigins', 'allowedIps', 'allowedMethods', 'allowedContracts'] as const
export type ListName = (typeof LISTS)[number]

/** An empty limit means the platform's default; no number of nodes, no quorum. */
export interface ProjectForm extends Record<ListName, readonly string[]> {
  readonly name: string
  readonly requireToken: boolean
  readonly failureSamples: boolean
  readonly perSecond: number | ''
  readonly perDay: number | ''
  readonly perAddress: number | ''
  readonly perSender: number | ''
  readonly perCaller: number | ''
  /** Such as `eth_getLogs=5`. */
  readonly methodLimits: readonly string[]
  readonly agreeing: number | ''
  readonly nodes: number | ''
  readonly methods: readonly string[]
  /** Of the identity provider; empty: none. */
  readonly jwksUrl: string
  readonly issuer: string
  readonly audience: string
  readonly byHeader: boolean
  readonly namespaces: readonly string[]
}

const EMPTY: ProjectForm = {
  name: '',
  requireToken: false,
  failureSamples: true,
  perSecond: '',
  perDay: '',
  perAddress: '',
  perSender: '',
  perCaller: '',
  namespaces: [],
  jwksUrl: '',
  issuer: '',
  audience: '',
  methodLimits: [],
  agreeing: '',
  nodes: '',
  methods: ['eth_*'],
  byHeader: false,
  allowedOrigins: [],
  allowedIps: [],
  allowedMethods: [],
  allowedContracts: [],
}

export function projectForm(project?: Project): ProjectForm {
  if (!project) return EMPTY
  const { name, requireToken, limits, quorum, tokens, allowedOrigins, allowedIps, allowedMethods, allowedContracts } = project
  const failureSamples = project.failureSamples ?? true
  return {
    ...EMPTY,
    name,
    requireToken,
    failureSamples,
    perSecond: limits.perSecond,
    perDay: limits.perDay,
    perAddress: limits.perAddress ?? '',
    perSender: limits.perSender ?? '',
    perCaller: limits.perCaller ?? '',
    namespaces: project.namespaces ?? [],
    ...tokens,
    methodLimits: methodLimitEntries(limits.methods),
    ...quorum,
    allowedOrigins,
    allowedIps,
    allowedMethods,
    allowedContracts,
  }
}

type ProjectEvent = FieldChange<ProjectForm> | { readonly type: 'saved'; readonly project: Project }

export function reduceProject(form: ProjectForm, event: ProjectEvent): ProjectForm {
  return event.type === 'saved' ? projectForm(event.project) : changeField(form, event)
}

export function hasName({ name }: ProjectForm): boolean {
  return name.trim() !== ''
}

/** Number fields give text while they are empty or unfinished. */
export function limitOf(value: number | string): number | '' {
  return typeof value === 'number' ? value : ''
}

/** `before` is the project that is changed: what it has, and the form has no more, is removed. */
export function projectBody({ perSecond, perDay, ...form }: ProjectForm, before?: Project): NewProject {
  const limits = {
    ...(perSecond !== '' && { perSecond }),
    ...(perDay !== '' && { perDay }),
    ...(form.perAddress !== '' ? { perAddress: form.perAddress } : before?.limits.perAddress && { perAddress: null }),
    ...(form.perSender !== '' ? { perSender: form.perSender } : before?.limits.perSender && { perSender: null }),
    ...(form.perCaller !== '' ? { perCaller: form.perCaller } : before?.limits.perCaller && { perCaller: null }),
    ...((form.methodLimits.length > 0 || before?.limits.methods) && { methods: methodLimitsBody(form.methodLimits) }),
  }
  const { allowedOrigins, allowedIps, allowedMethods, allowedContracts } = form
  return {
    name: form.name.trim(),
    requireToken: form.requireToken,
    failureSamples: form.failureSamples,
    limits,
    quorum: quorumBody(form),
    ...(isOtherSet(form.namespaces, before?.namespaces ?? []) && {
      namespaces: METHOD_NAMESPACES.filter((each) => form.namespaces.includes(each)),
    }),
    ...providerBody(form, before),
    allowedOrigins: [...allowedOrigins],
    allowedIps: [...allowedIps],
    allowedMethods: [...allowedMethods],
    allowedContracts: [...allowedContracts],
  }
}

function isOtherSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length !== other.length || one.some((each) => !other.includes(each))
}

/** With some of the fields empty the platform says what is missing. */
function providerBody({ jwksUrl, issuer, audience }: Pick<ProjectForm, 'jwksUrl' | 'issuer' | 'audience'>, before: Project | undefined) {
  const tokens = { jwksUrl: jwksUrl.trim(), issuer: issuer.trim(), audience: audience.trim() }
  if (Object.values(tokens).some((value) => value !== '')) return { tokens }
  return before?.tokens && { tokens: null }
}

function quorumBody({ agreeing, nodes, methods, byHeader }: Omit<ProjectForm, 'perSecond' | 'perDay'>): NewProject['quorum'] {
  // Of one number without the other the platform says what is missing.
  if (agreeing === '' && nodes === '') return null
  return { agreeing: Number(agreeing), nodes: Number(nodes), methods: [...methods], byHeader }
}

/** Messages by field; in a list they name the entry. */
export function projectMistakes(form: ProjectForm, error: unknown): Partial<Record<keyof ProjectForm, string>> {
  if (!(error instanceof Problem)) return {}
  const messages = (error.errors ?? []).map(({ path, message }) => {
    const [field = '', index] = path
      .replace(/^body\./, '')
      .replace(/^limits\.methods/, 'methodLimits')
      .replace(/^(limits|quorum|tokens)\./, '')
      // A service of the release before writes `allowedIps.0`.
      .split(/[.[\]]/)
    const list = [...LISTS, 'methods' as const, 'methodLimits' as const].find((name) => name === field)
    const entry = list && index !== undefined ? form[list][Number(index)] : undefined
    return [field, entry === undefined ? message : `${entry}: ${message}`]
  })
  return Object.fromEntries(messages.toReversed())
}
