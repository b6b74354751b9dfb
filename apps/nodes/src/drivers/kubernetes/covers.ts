/** Whether `actual` has every value of `desired`. What it has besides, others have added, such as the API server's defaults. */
export function covers(actual: unknown, desired: unknown): boolean {
  if (Array.isArray(desired))
    return Array.isArray(actual) && actual.length === desired.length && desired.every((each, i) => covers(actual[i], each))
  if (!isRecord(desired)) return Object.is(actual, desired)
  return isRecord(actual) && Object.entries(desired).every(([name, value]) => value === undefined || covers(actual[name], value))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
