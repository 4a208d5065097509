"""Reads Kubernetes objects as YAML from standard input and writes {"objects": [...], "faults": [...]} as JSON: each field that
Kubernetes does not know, has in another type, or misses, by the models of its own client."""

import json
import re
import sys

import yaml
from kubernetes import client

plain = {"str": str, "int": int, "bool": bool, "float": (int, float)}


def faults_of(value, type_name, path):
    many = re.fullmatch(r"list\[(.+)\]", type_name)
    named = re.fullmatch(r"dict\(str, (.+)\)", type_name)
    if type_name == "object":
        return []
    if type_name in plain:
        fits = isinstance(value, plain[type_name]) and (type_name == "bool" or not isinstance(value, bool))
        return [] if fits else [f"{path} is no {type_name}"]
    if many:
        if not isinstance(value, list):
            return [f"{path} is no list"]
        return [fault for at, one in enumerate(value) for fault in faults_of(one, many[1], f"{path}[{at}]")]
    if not isinstance(value, dict):
        return [f"{path} is no map"]
    if named:
        return [fault for name, one in value.items() for fault in faults_of(one, named[1], f"{path}.{name}")]
    return faults_of_model(value, getattr(client, type_name), path)


def faults_of_model(value, model, path):
    fields = {model.attribute_map[name]: (name, kind) for name, kind in model.openapi_types.items()}
    faults = [f"{path}.{name} is unknown" for name in value if name not in fields]
    known = {name: one for name, one in value.items() if name in fields}
    try:
        # Refuses what is missing.
        model(**{fields[name][0]: one for name, one in known.items()})
    except ValueError as error:
        faults.append(f"{path}: {error}")
    return faults + [fault for name, one in known.items() for fault in faults_of(one, fields[name][1], f"{path}.{name}")]


objects = [one for one in yaml.safe_load_all(sys.stdin) if one is not None]
faults = []
for one in objects:
    group, _, version = one["apiVersion"].rpartition("/")
    name = f"{version[:1].upper()}{version[1:]}{one['kind']}"
    faults += faults_of_model(one, getattr(client, name), f"{one['kind']} {one['metadata']['name']}")
print(json.dumps({"objects": objects, "faults": faults}))
