import type { NewProject, Project } from '@trestle/contracts/eth-rpc/projects'
import { Problem } from '@trestle/problem/problem'
import { changeField, type FieldChange } from '../parts/form.js'

export const LISTS = ['allowedOrigins', 'allowedIps', 'allowedMethods', 'allowedContracts'] as const
export type ListName = (typeof LISTS)[number]

/** An empty limit means the platform's default; no number of nodes, no quorum. */
export interface ProjectForm extends Record<ListName, readonly string[]> {
  readonly name: string
  readonly requireToken: boolean
  readonly failureSamples: boolean
  readonly perSecond: number | ''
  readonly perDay: number | ''
  readonly agreeing: number | ''
  readonly nodes: number | ''
  readonly methods: readonly string[]
  readonly byHeader: boolean
}

const EMPTY: ProjectForm = {
  name: '',
  requireToken: false,
  failureSamples: true,
  perSecond: '',
  perDay: '',
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
  const { name, requireToken, limits, quorum, allowedOrigins, allowedIps, allowedMethods, allowedContracts } = project
  const failureSamples = project.failureSamples ?? true
  return {
    ...EMPTY,
    name,
    requireToken,
    failureSamples,
    ...limits,
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

export function projectBody({ perSecond, perDay, ...form }: ProjectForm): NewProject {
  const limits = { ...(perSecond !== '' && { perSecond }), ...(perDay !== '' && { perDay }) }
  const { allowedOrigins, allowedIps, allowedMethods, allowedContracts } = form
  return {
    name: form.name.trim(),
    requireToken: form.requireToken,
    failureSamples: form.failureSamples,
    limits,
    quorum: quorumBody(form),
    allowedOrigins: [...allowedOrigins],
    allowedIps: [...allowedIps],
    allowedMethods: [...allowedMethods],
    allowedContracts: [...allowedContracts],
  }
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
      .replace(/^(limits|quorum)\./, '')
      // A service of the release before writes `allowedIps.0`.
      .split(/[.[\]]/)
    const list = [...LISTS, 'methods' as const].find((name) => name === field)
    const entry = list && index !== undefined ? form[list][Number(index)] : undefined
    return [field, entry === undefined ? message : `${entry}: ${message}`]
  })
  return Object.fromEntries(messages.toReversed())
}
