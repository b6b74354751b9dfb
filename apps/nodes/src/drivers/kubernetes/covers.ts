/** Whether everything that is wanted is there, just so. What else is there, others have added: the API server its defaults, for one. */
export function covers(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(actual) && actual.length === wanted.length && wanted.every((each, i) => covers(actual[i], each))
  if (!isRecord(wanted)) return Object.is(actual, wanted)
  return isRecord(actual) && Object.entries(wanted).every(([name, value]) => value === undefined || covers(actual[name], value))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
