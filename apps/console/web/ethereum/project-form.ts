import type { NewProject, Project } from '@trestle/contracts/eth-rpc/projects'
import { Problem } from '@trestle/problem/problem'

export const LISTS = ['allowedOrigins', 'allowedIps', 'allowedMethods', 'allowedContracts'] as const
export type ListName = (typeof LISTS)[number]

/** A project as a form has it; a limit that is left empty is the platform's own. */
export interface ProjectForm extends Record<ListName, readonly string[]> {
  readonly name: string
  readonly requireToken: boolean
  readonly perSecond: number | ''
  readonly perDay: number | ''
}

const EMPTY: ProjectForm = {
  name: '',
  requireToken: false,
  perSecond: '',
  perDay: '',
  allowedOrigins: [],
  allowedIps: [],
  allowedMethods: [],
  allowedContracts: [],
}

export function projectForm(project?: Project): ProjectForm {
  if (!project) return EMPTY
  const { name, requireToken, limits, allowedOrigins, allowedIps, allowedMethods, allowedContracts } = project
  return { name, requireToken, ...limits, allowedOrigins, allowedIps, allowedMethods, allowedContracts }
}

/** What is sent of it. */
export function projectBody({ perSecond, perDay, ...draft }: ProjectForm): NewProject {
  const limits = { ...(perSecond !== '' && { perSecond }), ...(perDay !== '' && { perDay }) }
  const lists = Object.fromEntries(LISTS.map((list) => [list, [...draft[list]]])) as Record<ListName, string[]>
  return { name: draft.name.trim(), requireToken: draft.requireToken, ...lists, limits }
}

/** What each field is told; of a list, which of its entries is meant. */
export function projectMistakes(draft: ProjectForm, error: unknown): Partial<Record<keyof ProjectForm, string>> {
  if (!(error instanceof Problem)) return {}
  const told = (error.errors ?? []).map(({ path, message }) => {
    const [field = '', index] = path
      .replace(/^body\./, '')
      .replace(/^limits\./, '')
      .split('.')
    const list = LISTS.find((name) => name === field)
    const entry = list && index !== undefined ? draft[list][Number(index)] : undefined
    return [field, entry === undefined ? message : `${entry}: ${message}`]
  })
  return Object.fromEntries(told.toReversed())
}
