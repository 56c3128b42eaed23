/** The courses there are. Each is fetched when it is wanted. */
import type { Course } from "./course";

const LOADERS = {
  first: () => import("./courses/first"),
  minibosses: () => import("./courses/minibosses"),
  items: () => import("./courses/items"),
  super: () => import("./courses/super"),
  solo: () => import("./courses/solo"),
} as const;

export type CourseName = keyof typeof LOADERS;
export const COURSES = Object.keys(LOADERS) as CourseName[];

export const isCourse = (name: string): name is CourseName => name in LOADERS;

export async function courseOf(name: CourseName): Promise<Course> {
  return (await LOADERS[name]()).default;
}
