import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { SubmitForm } from '../parts/submit-form.js'
import { secondFactorsTexts as texts } from '../texts/second-factors.js'
import { OwnerPassword } from './owner-password.js'

interface OwnerFormProps {
  /** The first factor of an account takes its password. */
  readonly isFirst: boolean
  readonly onSubmit: (password?: string) => Promise<unknown>
  readonly children?: ReactNode
}

/** The first step of adding a factor. */
export function OwnerForm({ isFirst, onSubmit, children }: OwnerFormProps) {
  const [password, setPassword] = useState('')
  const beginning = useMutation({ mutationFn: () => onSubmit((isFirst && password) || undefined) })
  return (
    <SubmitForm action={texts.continue} submission={beginning} problem={beginning.error} button="right">
      {children}
      {isFirst ? (
        <OwnerPassword
          label={texts.password}
          description={texts.passwordHint}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus={children ? undefined : true}
        />
      ) : (
        !children && <Text size="sm">{texts.scan}</Text>
      )}
    </SubmitForm>
  )
}
