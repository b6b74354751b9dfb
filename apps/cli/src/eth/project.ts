import { EXIT, Failure } from '../failure/failure.js'

interface Named {
  readonly id: string
  readonly name: string
}

/** The project with that name or beginning of its id; without either, the only one. */
export function selectProject<P extends Named>(projects: readonly P[], named?: string): P {
  const found = named === undefined ? projects : projects.filter(({ id, name }) => name === named || id.startsWith(named))
  const [first, second] = found
  if (first && !second) return first
  const beginnings = found.map(({ id, name }) => `${name} (${id.slice(0, 8)})`).join(', ')
  if (second) throw new Failure(EXIT.usage, 'Several projects match.', `Choose one by name or the beginning of its id: ${beginnings}`)
  if (named === undefined) throw new Failure(EXIT.unknown, 'You have no project.', 'Create one: trestle eth projects create <name>')
  throw new Failure(EXIT.unknown, `You have no project "${named}".`, 'List them: trestle eth projects list')
}
