import { Problem } from '@trestle/problem/problem'

export type ReportType = 'application/json' | 'text/csv'

const TYPES: readonly ReportType[] = ['application/json', 'text/csv']

/** The type that the caller prefers (RFC 9110 section 12.5.1), or JSON. */
export function acceptedType(accept: string | undefined): ReportType {
  const ranges = (accept?.trim() || '*/*').split(',').map(toRange)
  const rated = TYPES.map((type) => ({ type, quality: qualityOf(type, ranges) }))
  const best = rated.reduce((one, other) => (other.quality > one.quality ? other : one))
  if (best.quality > 0) return best.type
  throw new Problem('not-acceptable', 'NotAcceptable', `The report is available as ${TYPES.join(' or ')}.`)
}

interface Range {
  readonly name: string
  readonly quality: number
}

function toRange(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const quality = given === undefined ? 1 : Number(given)
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The quality of the most specific matching range. */
function qualityOf(type: ReportType, ranges: readonly Range[]): number {
  const names = [type, `${type.split('/', 1)[0]}/*`, '*/*']
  for (const name of names) {
    const range = ranges.find((each) => each.name === name)
    if (range) return range.quality
  }
  return 0
}
