import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core'
import { secondFactorsTexts as texts } from '../texts/second-factors.js'
import { useSecondFactors } from './use-factors.js'

/** Asks for the password of who has one. Of others the platform demands a fresh sign-in or second factor, where it is needed. */
export function OwnerPassword(props: PasswordInputProps) {
  const { data } = useSecondFactors()
  if (data?.hasPassword === false) return <Text size="sm">{texts.noPassword}</Text>
  return <PasswordInput name="password" autoComplete="current-password" required {...props} />
}
