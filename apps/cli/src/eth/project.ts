import { EXIT, Failure } from '../failure/failure.js'

interface Named {
  readonly id: string
  readonly name: string
}

/** The one that is called so or whose id begins so; the only one where nothing is said. */
export function selectProject<P extends Named>(projects: readonly P[], wanted?: string): P {
  const found = wanted === undefined ? projects : projects.filter(({ id, name }) => name === wanted || id.startsWith(wanted))
  const [first, second] = found
  if (first && !second) return first
  const beginnings = found.map(({ id, name }) => `${name} (${id.slice(0, 8)})`).join(', ')
  if (second) throw new Failure(EXIT.usage, 'Several projects match.', `Choose one by name or the beginning of its id: ${beginnings}`)
  if (wanted === undefined) throw new Failure(EXIT.unknown, 'You have no project.', 'Create one: trestle eth projects create <name>')
  throw new Failure(EXIT.unknown, `You have no project "${wanted}".`, 'List them: trestle eth projects list')
}
