"use client"

import { useEffect, useState } from "react"

/** The value once it has stood still for a moment: what is typed in one go is asked for once. */
export function useSettled<T>(value: T, pauseMs = 400): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
