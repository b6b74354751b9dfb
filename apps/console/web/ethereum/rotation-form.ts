/** For how long the former URL keeps working, in seconds. */
export const GRACES = ['0', '3600', '86400'] as const

interface RotationForm {
  readonly grace: (typeof GRACES)[number]
}

export const HOUR_OF_GRACE: RotationForm = { grace: '3600' }

/** What is not among the choices changes nothing. */
export function reduceRotation(form: RotationForm, { value }: { readonly value: string | null }): RotationForm {
  const grace = GRACES.find((each) => each === value)
  return grace ? { grace } : form
}

export function rotationBody({ grace }: RotationForm): { graceSeconds: number } {
  return { graceSeconds: Number(grace) }
}
