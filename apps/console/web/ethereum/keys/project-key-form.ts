import type { NewProjectKey, ProjectKey, ProjectKeyChange } from '@trestle/contracts/eth-rpc/project-keys'
import { keyExpiresAt } from '../../accounts/key-expiry.js'

export const LIFETIMES = ['never', '30', '90', '365'] as const
/** `keep`: of a key that is edited, the expiry that it has. */
type Lifetime = (typeof LIFETIMES)[number] | 'keep'

export interface ProjectKeyForm {
  readonly name: string
  readonly lifetime: Lifetime
}

export const NEW_PROJECT_KEY: ProjectKeyForm = { name: '', lifetime: 'never' }

export function projectKeyForm({ name }: Pick<ProjectKey, 'name'>): ProjectKeyForm {
  return { name, lifetime: 'keep' }
}

export function isLifetime(value: string | null): value is Lifetime {
  return value === 'keep' || LIFETIMES.some((lifetime) => lifetime === value)
}

export function canSaveProjectKey({ name }: ProjectKeyForm): boolean {
  return name.trim() !== ''
}

export function newProjectKeyBody({ name, lifetime }: ProjectKeyForm, now: Date): NewProjectKey {
  return { name: name.trim(), expiresAt: lifetime === 'keep' ? undefined : keyExpiresAt(lifetime, '', now) }
}

export function projectKeyChange(form: ProjectKeyForm, now: Date): ProjectKeyChange {
  const { name, expiresAt } = newProjectKeyBody(form, now)
  return form.lifetime === 'keep' ? { name } : { name, expiresAt: expiresAt ?? null }
}
