import { EXIT, Failure } from '../failure/failure.js'
import type { LoginSession } from './session.js'

/** The organization that was chosen, for what a personal one does not have. */
export function sharedOrganizationOf({ organization }: Pick<LoginSession, 'organization'>, lacks: string): string {
  if (organization) return organization
  throw new Failure(EXIT.usage, `Your personal organization ${lacks}.`, 'Choose another one: trestle orgs use <id>, or --org <id>')
}
